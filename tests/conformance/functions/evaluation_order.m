function r = log_(k), global L; L(end + 1) = k; r = k; end
global L; L = []; x = log_(1) + log_(2) * log_(3); disp(L); L = []; y = [log_(1), log_(2); log_(3), log_(4)]; disp(L); L = []; z = {log_(1), log_(2)}; disp(L); L = []; f = @(a, b) b; f(log_(1), log_(2)); disp(L); L = []; if log_(0) || log_(1), end, disp(L); L = []; if log_(0) && log_(1), end, disp(L);
