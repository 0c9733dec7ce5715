# gz_dd_multiply(): of the product of two pairs, in units of |a b|, what is left out and what is rounded. Hypotheses: low parts
# are at most u of the high ones, and p + e = a.high b.high exactly (Dekker 1971; small_format tries every input).
#@ src/math/double_double.h gz_dd_multiply 53
#? gz_two_product(a.high, b.high, &p, &e)
#= e += a.high * b.low + a.low * b.high
#? gz_fast_two_sum(p, e, &p, &e)
{ |e| <= 1b-53 /\ |a_high * b_low| <= 1b-53 /\ |a_low * b_high| <= 1b-53 /\ |a_low * b_low| <= 1b-106
  -> |e_2 - (e + (a_high * b_low + a_low * b_high))| <= 71b-109 }
