function [xc, cxc, lxc, perf0, perfl2] = wdencmp(kind, varargin)
% [xc, cxc, lxc, perf0, perfl2] = wdencmp('gbl', x, wname, n, thr, sorh, keepapp), ('gbl', C, L, wname, ...), ('lvd', x, wname, n, thr, sorh): a signal
%   rebuilt from the wavelet coefficients that are left by one threshold, or by one for each level. perf0 is the share of zeros, perfl2 that of
%   the energy, in percent. Pictures are those of wavedec2: 'gbl' only.
kind = validatestring(kind, {'gbl', 'lvd'}, 'wdencmp');
if ischar(varargin{2}) || isstring(varargin{2})
    [x, wname, n] = deal(varargin{1:3});
    if min(size(x)) == 1, [c, l] = wavedec(x, n, wname); else, [c, l] = wavedec2(x, n, wname); end
    rest = varargin(4:end);
else
    [c, l, wname, n] = deal(varargin{1:4});
    rest = varargin(5:end);
end
[thr, sorh] = deal(rest{1:2});
isPicture = size(l, 2) > 1 && size(l, 1) > 2;
if isPicture, kept = prod(l(1, :)); else, kept = l(1); end
cxc = c;
if strcmp(kind, 'gbl')
    if numel(rest) > 2 && ~rest{3}, kept = 0; end
    cxc(kept + 1:end) = wthresh(c(kept + 1:end), sorh, thr);
else
    if isPicture, error('Wavelet:wdencmp:pictures', 'Thresholds by level are those of signals; pictures take ''gbl''.'); end
    if numel(thr) ~= n, error('Wavelet:wdencmp:thresholds', 'There must be a threshold for each of the %d levels.', n); end
    at = kept;
    for k = 1:n
        place = at + (1:l(k + 1));
        cxc(place) = wthresh(c(place), sorh, thr(n + 1 - k));
        at = place(end);
    end
end
lxc = l;
if isPicture, xc = waverec2(cxc, lxc, wname); else, xc = waverec(cxc, lxc, wname); end
perf0 = 100*nnz(cxc == 0)/numel(cxc);
perfl2 = 100;
if any(c), perfl2 = 100*norm(cxc)^2/norm(c)^2; end
end
