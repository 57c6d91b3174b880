function [num, den] = iirnotch(Wo, BW, Ab)
% [num, den] = iirnotch(Wo, BW): a filter of second order that takes out the frequency Wo.
%   iirnotch(Wo, BW, Ab): BW is measured Ab decibels down, 10*log10(2) unless told. Wo and BW
%   are parts of half the sampling rate, between 0 and 1.
if nargin < 3
    Ab = half_power;
end
[gain, centre] = second_order(Wo, BW, Ab, false);
num = gain*[1 -2*centre 1];
den = [1 -2*gain*centre 2*gain - 1];
end
