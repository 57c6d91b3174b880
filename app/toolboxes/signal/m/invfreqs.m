function [b, a] = invfreqs(h, w, varargin)
% [b, a] = invfreqs(h, w, nb, na, wt): the analog filter with numerator of order nb and denominator of order
%   na whose response at the angular frequencies w is nearest to h (Levi, 1959).
[b, a] = least_squares_filter('invfreqs', h, 1i*w(:), varargin, true);
end
