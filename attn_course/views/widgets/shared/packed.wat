;; The product of a packed matrix and vectors (see packed.js), eight numbers in each step.
;;
;; A row is blocks of 32 weights. A weight is scale * q + least, where q is 0 to 15; or it is
;; scale * q alone, where q is -128 to 127. The entries of a vector are whole numbers as well, in
;; two parts of 16 bits, x = 2^15 high + low. So only a few steps of a block are not in integers:
;;
;;   row . x  =  sum of blocks,  scale * (2^15 (q . high) + (q . low))  +  least * (the sum of x)
;;
;; Eight q at once come out of eight words of 16 bits, from the lowest bits up. Of each block of a
;; vector, packed.js gives 32 high and 32 low parts in that order, and four floats whose sum is that
;; of the x. Adding to what has just been stored would wait, so there are two sets of sums.
(module
  (import "page" "memory" (memory 1))

  (func (export "product")
    (param $kind i32)                              ;; 3 is Q4_1, 8 is Q8_0
    (param $row i32) (param $rows_end i32)         ;; the rows, without gaps
    (param $vectors i32) (param $vectors_end i32)  ;; the first block of each, the second of each ..
    (param $sums i32) (param $sums_end i32)        ;; four for each, twice; 0 before and after
    (param $result i32)                            ;; the first row's for each, the second's ..

    (local $x i32) (local $sum i32) (local $set i32) (local $four v128)
    (local $scale v128) (local $least v128) (local $mask v128) (local $q v128)
    (local $q0 v128) (local $q1 v128) (local $q2 v128) (local $q3 v128)

    (local.set $mask (i16x8.splat (i32.const 15)))
    (loop $each_row
      (local.set $x (local.get $vectors))
      (loop $each_block

        (if (i32.eq (local.get $kind) (i32.const 3))
          (then  ;; scale, least, 32 times 4 bits
            (local.set $four (v128.load32_zero (local.get $row)))
            (local.set $q (v128.load offset=4 (local.get $row)))
            (local.set $q0 (v128.and (local.get $mask) (local.get $q)))
            (local.set $q1 (v128.and (local.get $mask) (i16x8.shr_u (local.get $q) (i32.const 4))))
            (local.set $q2 (v128.and (local.get $mask) (i16x8.shr_u (local.get $q) (i32.const 8))))
            (local.set $q3 (i16x8.shr_u (local.get $q) (i32.const 12)))
            (local.set $row (i32.add (local.get $row) (i32.const 20))))
          (else  ;; scale, 32 times 8 bits with a sign
            (local.set $four
              (v128.load16_lane 0 (local.get $row) (v128.const i32x4 0 0 0 0)))
            (local.set $q (v128.load offset=2 (local.get $row)))
            (local.set $q0 (i16x8.shr_s (i16x8.shl (local.get $q) (i32.const 8)) (i32.const 8)))
            (local.set $q1 (i16x8.shr_s (local.get $q) (i32.const 8)))
            (local.set $q (v128.load offset=18 (local.get $row)))
            (local.set $q2 (i16x8.shr_s (i16x8.shl (local.get $q) (i32.const 8)) (i32.const 8)))
            (local.set $q3 (i16x8.shr_s (local.get $q) (i32.const 8)))
            (local.set $row (i32.add (local.get $row) (i32.const 34)))))

        ;; Floats of 16 bits become such of 32: sign and rest move to their places. Their exponents
        ;; count from 15 and not from 127, so what comes out is 2^112 too small.
        (local.set $four (f32x4.mul
          (v128.const f32x4 0x1p112 0x1p112 0x1p112 0x1p112)
          (v128.and
            (v128.const i32x4 0x8fffe000 0x8fffe000 0x8fffe000 0x8fffe000)
            (i32x4.shl (i32x4.extend_low_i16x8_s (local.get $four)) (i32.const 13)))))
        (local.set $scale (f32x4.splat (f32x4.extract_lane 0 (local.get $four))))
        (local.set $least (f32x4.splat (f32x4.extract_lane 1 (local.get $four))))

        (local.set $set (i32.xor (local.get $set) (i32.const 128)))
        (local.set $sum (i32.add (local.get $sums) (local.get $set)))
        (loop $each_vector
          (v128.store (local.get $sum) (f32x4.add (v128.load (local.get $sum)) (f32x4.add
            (f32x4.mul (local.get $least) (v128.load offset=128 (local.get $x)))
            (f32x4.mul (local.get $scale) (f32x4.add
              (f32x4.mul (v128.const f32x4 0x1p15 0x1p15 0x1p15 0x1p15)
                (f32x4.convert_i32x4_s (i32x4.add
                  (i32x4.add
                    (i32x4.dot_i16x8_s (local.get $q0) (v128.load (local.get $x)))
                    (i32x4.dot_i16x8_s (local.get $q1) (v128.load offset=16 (local.get $x))))
                  (i32x4.add
                    (i32x4.dot_i16x8_s (local.get $q2) (v128.load offset=32 (local.get $x)))
                    (i32x4.dot_i16x8_s (local.get $q3) (v128.load offset=48 (local.get $x)))))))
              (f32x4.convert_i32x4_s (i32x4.add
                (i32x4.add
                  (i32x4.dot_i16x8_s (local.get $q0) (v128.load offset=64 (local.get $x)))
                  (i32x4.dot_i16x8_s (local.get $q1) (v128.load offset=80 (local.get $x))))
                (i32x4.add
                  (i32x4.dot_i16x8_s (local.get $q2) (v128.load offset=96 (local.get $x)))
                  (i32x4.dot_i16x8_s (local.get $q3) (v128.load offset=112 (local.get $x)))))))))))
          (local.set $x (i32.add (local.get $x) (i32.const 144)))
          (local.set $sum (i32.add (local.get $sum) (i32.const 16)))
          (br_if $each_vector
            (i32.lt_u (local.get $sum) (i32.add (local.get $sums_end) (local.get $set)))))
        (br_if $each_block (i32.lt_u (local.get $x) (local.get $vectors_end))))

      (local.set $sum (local.get $sums))
      (loop $each_vector
        (local.set $four
          (f32x4.add (v128.load (local.get $sum)) (v128.load offset=128 (local.get $sum))))
        (f32.store (local.get $result) (f32.add
          (f32.add
            (f32x4.extract_lane 0 (local.get $four)) (f32x4.extract_lane 1 (local.get $four)))
          (f32.add
            (f32x4.extract_lane 2 (local.get $four)) (f32x4.extract_lane 3 (local.get $four)))))
        (v128.store (local.get $sum) (v128.const i32x4 0 0 0 0))
        (v128.store offset=128 (local.get $sum) (v128.const i32x4 0 0 0 0))
        (local.set $result (i32.add (local.get $result) (i32.const 4)))
        (local.set $sum (i32.add (local.get $sum) (i32.const 16)))
        (br_if $each_vector (i32.lt_u (local.get $sum) (local.get $sums_end))))
      (br_if $each_row (i32.lt_u (local.get $row) (local.get $rows_end))))))
