function [xd, cxd, lxd] = wden(varargin)
% [xd, cxd, lxd] = wden(x, tptr, sorh, scal, n, wname), wden(C, L, tptr, sorh, scal, n, wname): a signal without its noise, by thresholds of the
%   details of n levels. tptr is a rule of thselect; scal how the noise is known: 'one' (of variance 1), 'sln' (from the first level), 'mln' (from
%   each level).
if ischar(varargin{2}) || isstring(varargin{2})
    [x, tptr, sorh, scal, n, wname] = deal(varargin{:});
    [c, l] = wavedec(x, n, wname);
else
    [c, l, tptr, sorh, scal, n, wname] = deal(varargin{:});
end
switch validatestring(scal, {'one', 'sln', 'mln'}, 'wden')
    case 'one', noise = ones(1, n);
    case 'sln', noise = ones(1, n)*wnoisest(c, l, 1);
    case 'mln', noise = wnoisest(c, l, 1:n);
end
cxd = c;
at = l(1);
for k = n:-1:1
    place = at + (1:l(n + 2 - k));
    at = place(end);
    d = c(place);
    s = noise(k);
    if s <= sqrt(eps)*max(abs(d)), continue, end
    if strcmpi(tptr, 'sqtwolog') || strcmpi(tptr, 'minimaxi'), t = thselect(c, tptr); else, t = thselect(d/s, tptr); end
    cxd(place) = wthresh(d, sorh, t*s);
end
lxd = l;
xd = waverec(cxd, lxd, wname);
end
