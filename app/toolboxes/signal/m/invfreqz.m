function [b, a] = invfreqz(h, w, varargin)
% [b, a] = invfreqz(h, w, nb, na, wt): the digital filter with numerator of order nb and denominator of order
%   na whose response at the angular frequencies w is nearest to h, by weighted least squares of the
%   equation error (Levi, 1959).
[b, a] = least_squares_filter('invfreqz', h, exp(-1i*w(:)), varargin, false);
end
