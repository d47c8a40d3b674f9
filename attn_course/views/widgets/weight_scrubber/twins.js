// Another date of the same form and length, such as "June 18, 1976" for "July 18, 1976".

import { zeroOf } from "../shared/typing.js";

// Months of one language that are equally long: each is replaced by the next.
const ALIKE = [
  "June July",
  "March April",
  "January October",
  "February November December",
  "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
  "März Juni Juli",
  "Januar August",
  "Februar Oktober",
  "November Dezember",
  "mars juin août",
  "janvier février juillet octobre",
  "novembre décembre",
  "enero marzo abril junio julio",
  "febrero octubre",
  "noviembre diciembre",
  "июня июля",
  "января апреля ноября",
  "февраля августа октября декабря",
].map((months) => months.split(" "));

/** A date of the same length that differs in the month or, if there is no known month, in a digit;
 *  "" if there is neither. */
export function twinOf(text) {
  return anotherMonth(text) ?? anotherDigit(text) ?? "";
}

function anotherMonth(text) {
  for (const months of ALIKE) {
    const found = months.findIndex((month) => wordOf(month).test(text));
    if (found < 0) continue;
    const next = months[(found + 1) % months.length];
    return text.replace(wordOf(months[found]), (_, before) => before + next);
  }
  return null;
}

/** The month as a whole word, behind what stands before it: older Safaris cannot look behind. */
function wordOf(month) {
  return new RegExp(`(^|\\P{L})${month}(?!\\p{L})`, "u");
}

/** The last digit of the year, where one has four digits, or of the last number. */
function anotherDigit(text) {
  const numbers = [...text.matchAll(/\p{Nd}+/gu)];
  const years = numbers.filter(([number]) => [...number].length === 4);
  const number = years[0] ?? numbers.at(-1);
  if (!number) return null;
  const last = [...number[0]].at(-1);
  const zero = zeroOf(last);
  const value = last.codePointAt(0) - zero;
  const other = String.fromCodePoint(zero + (value > 1 ? value - 1 : value + 1));
  const end = number.index + number[0].length;
  return text.slice(0, end - last.length) + other + text.slice(end);
}
