function x = m2xdate(d, convention)
% x = m2xdate(d, convention): serial dates as Excel's, which count from 1900, or from 1904 with convention 1.
if nargin < 2, convention = 0; end
x = datenum(d) - 693960 - 1462*(convention ~= 0);
end
