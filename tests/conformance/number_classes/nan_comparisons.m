NaN == NaN, isnan([1 NaN]), isequal(NaN, NaN), isequaln(NaN, NaN), NaN > 1, Inf == Inf, Inf - Inf, 0 * Inf
