function d = x2mdate(x, convention)
% d = x2mdate(x, convention): Excel's serial dates, which count from 1900 (1904 with convention 1), as MATLAB's.
if nargin < 2, convention = 0; end
d = x + 693960 + 1462*(convention ~= 0);
end
