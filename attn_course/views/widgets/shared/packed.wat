;; The product of a packed matrix and vectors (see packed.js), four numbers in each step.
;;
;; A row is blocks of 32 weights, and a weight is scale * u + least, where u is 0 to 15 or 0 to 255:
;;
;;   row . x  =  sum over blocks of  ( scale * (u . x)  +  least * (the sum of x) )
;;
;; A mask takes four u at once out of four words of 32 bits, from the lowest bits up. Of each block
;; of a vector, packed.js gives the 32 numbers in that order, and then four whose sum is theirs.
(module
  (import "page" "memory" (memory 1))

  (func (export "product")
    (param $kind i32)                              ;; 3 is Q4_1, 8 is Q8_0
    (param $row i32) (param $rows_end i32)         ;; the rows, without gaps
    (param $vectors i32) (param $vectors_end i32)  ;; the first block of each, the second of each ..
    (param $sums i32) (param $sums_end i32)        ;; four for each vector; 0 before and after
    (param $result i32)                            ;; the first row's for each vector, the second's ..

    (local $x i32) (local $sum i32) (local $four v128)
    (local $scale v128) (local $least v128) (local $mask v128) (local $q v128)
    (local $u0 v128) (local $u1 v128) (local $u2 v128) (local $u3 v128)
    (local $u4 v128) (local $u5 v128) (local $u6 v128) (local $u7 v128)

    (local.set $mask (i32x4.splat
      (select (i32.const 15) (i32.const 255) (i32.eq (local.get $kind) (i32.const 3)))))
    (loop $each_row
      (local.set $x (local.get $vectors))
      (loop $each_block

        ;; Two halves become floats: sign and rest move to their places. A half's exponent counts
        ;; from 15 and a float's from 127, so what comes out is 2^112 too small.
        (local.set $scale (f32x4.mul
          (v128.const f32x4 0x1p112 0x1p112 0x1p112 0x1p112)
          (v128.and
            (v128.const i32x4 0x8fffe000 0x8fffe000 0x8fffe000 0x8fffe000)
            (i32x4.shl
              (i32x4.extend_low_i16x8_s (v128.load32_zero (local.get $row))) (i32.const 13)))))

        (if (i32.eq (local.get $kind) (i32.const 3))
          (then  ;; scale, least, 32 times 4 bits
            (local.set $least (f32x4.splat (f32x4.extract_lane 1 (local.get $scale))))
            (local.set $q (v128.load offset=4 (local.get $row)))
            (local.set $u0 (v128.and (local.get $mask) (local.get $q)))
            (local.set $u1 (v128.and (local.get $mask) (i32x4.shr_u (local.get $q) (i32.const 4))))
            (local.set $u2 (v128.and (local.get $mask) (i32x4.shr_u (local.get $q) (i32.const 8))))
            (local.set $u3 (v128.and (local.get $mask) (i32x4.shr_u (local.get $q) (i32.const 12))))
            (local.set $u4 (v128.and (local.get $mask) (i32x4.shr_u (local.get $q) (i32.const 16))))
            (local.set $u5 (v128.and (local.get $mask) (i32x4.shr_u (local.get $q) (i32.const 20))))
            (local.set $u6 (v128.and (local.get $mask) (i32x4.shr_u (local.get $q) (i32.const 24))))
            (local.set $u7 (i32x4.shr_u (local.get $q) (i32.const 28)))
            (local.set $row (i32.add (local.get $row) (i32.const 20))))
          (else  ;; scale, 32 times 8 bits from -128 to 127, which become 0 to 255
            (local.set $least (f32x4.splat
              (f32.mul (f32.const -128) (f32x4.extract_lane 0 (local.get $scale)))))
            (local.set $q
              (v128.xor (v128.load offset=2 (local.get $row)) (i8x16.splat (i32.const 0x80))))
            (local.set $u0 (v128.and (local.get $mask) (local.get $q)))
            (local.set $u1 (v128.and (local.get $mask) (i32x4.shr_u (local.get $q) (i32.const 8))))
            (local.set $u2 (v128.and (local.get $mask) (i32x4.shr_u (local.get $q) (i32.const 16))))
            (local.set $u3 (i32x4.shr_u (local.get $q) (i32.const 24)))
            (local.set $q
              (v128.xor (v128.load offset=18 (local.get $row)) (i8x16.splat (i32.const 0x80))))
            (local.set $u4 (v128.and (local.get $mask) (local.get $q)))
            (local.set $u5 (v128.and (local.get $mask) (i32x4.shr_u (local.get $q) (i32.const 8))))
            (local.set $u6 (v128.and (local.get $mask) (i32x4.shr_u (local.get $q) (i32.const 16))))
            (local.set $u7 (i32x4.shr_u (local.get $q) (i32.const 24)))
            (local.set $row (i32.add (local.get $row) (i32.const 34)))))
        (local.set $scale (f32x4.splat (f32x4.extract_lane 0 (local.get $scale))))
        (local.set $u0 (f32x4.convert_i32x4_s (local.get $u0)))
        (local.set $u1 (f32x4.convert_i32x4_s (local.get $u1)))
        (local.set $u2 (f32x4.convert_i32x4_s (local.get $u2)))
        (local.set $u3 (f32x4.convert_i32x4_s (local.get $u3)))
        (local.set $u4 (f32x4.convert_i32x4_s (local.get $u4)))
        (local.set $u5 (f32x4.convert_i32x4_s (local.get $u5)))
        (local.set $u6 (f32x4.convert_i32x4_s (local.get $u6)))
        (local.set $u7 (f32x4.convert_i32x4_s (local.get $u7)))

        (local.set $sum (local.get $sums))
        (loop $each_vector
          (v128.store (local.get $sum) (f32x4.add (v128.load (local.get $sum)) (f32x4.add
            (f32x4.mul (local.get $least) (v128.load offset=128 (local.get $x)))
            (f32x4.mul (local.get $scale) (f32x4.add
              (f32x4.add
                (f32x4.add
                  (f32x4.mul (local.get $u0) (v128.load (local.get $x)))
                  (f32x4.mul (local.get $u1) (v128.load offset=16 (local.get $x))))
                (f32x4.add
                  (f32x4.mul (local.get $u2) (v128.load offset=32 (local.get $x)))
                  (f32x4.mul (local.get $u3) (v128.load offset=48 (local.get $x)))))
              (f32x4.add
                (f32x4.add
                  (f32x4.mul (local.get $u4) (v128.load offset=64 (local.get $x)))
                  (f32x4.mul (local.get $u5) (v128.load offset=80 (local.get $x))))
                (f32x4.add
                  (f32x4.mul (local.get $u6) (v128.load offset=96 (local.get $x)))
                  (f32x4.mul (local.get $u7) (v128.load offset=112 (local.get $x))))))))))
          (local.set $x (i32.add (local.get $x) (i32.const 144)))
          (local.set $sum (i32.add (local.get $sum) (i32.const 16)))
          (br_if $each_vector (i32.lt_u (local.get $sum) (local.get $sums_end))))
        (br_if $each_block (i32.lt_u (local.get $x) (local.get $vectors_end))))

      (local.set $sum (local.get $sums))
      (loop $each_vector
        (local.set $four (v128.load (local.get $sum)))
        (f32.store (local.get $result) (f32.add
          (f32.add
            (f32x4.extract_lane 0 (local.get $four)) (f32x4.extract_lane 1 (local.get $four)))
          (f32.add
            (f32x4.extract_lane 2 (local.get $four)) (f32x4.extract_lane 3 (local.get $four)))))
        (v128.store (local.get $sum) (v128.const i32x4 0 0 0 0))
        (local.set $result (i32.add (local.get $result) (i32.const 4)))
        (local.set $sum (i32.add (local.get $sum) (i32.const 16)))
        (br_if $each_vector (i32.lt_u (local.get $sum) (local.get $sums_end))))
      (br_if $each_row (i32.lt_u (local.get $row) (local.get $rows_end))))))
