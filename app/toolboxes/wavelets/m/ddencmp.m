function [thr, sorh, keepapp, crit] = ddencmp(dorc, worwp, x)
% [thr, sorh, keepapp, crit] = ddencmp(dorc, worwp, x): usual values to denoise ('den') or compress ('cmp') a signal or picture by wavelets ('wv')
%   or packets ('wp'): the threshold, soft or hard, whether approximations are kept, and (packets) the entropy.
dorc = validatestring(dorc, {'den', 'cmp'}, 'ddencmp');
worwp = validatestring(worwp, {'wv', 'wp'}, 'ddencmp');
n = numel(x);
if strcmp(dorc, 'den')
    thr = sqrt(2*log(n));
    if strcmp(worwp, 'wp'), thr = sqrt(2*log(n*log(n)/log(2))); end
    if min(size(x)) == 1
        [~, d] = dwt(x, 'db1');
    else
        [~, ~, ~, d] = dwt2(x, 'db1');
    end
    noise = median(abs(d(:)));
    if noise == 0 && min(size(x)) == 1, noise = 0.05*max(abs(d(:))); end
    thr = thr*noise/0.6745;
else
    if min(size(x)) == 1
        [~, d] = dwt(x, 'db1');
    else
        [~, h, v, d] = dwt2(x, 'db1');
        d = [h(:); v(:); d(:)];
    end
    thr = median(abs(d(:)));
    if thr == 0, thr = 0.05*max(abs(d(:))); end
end
sorh = 'h';
if strcmp(dorc, 'den') && strcmp(worwp, 'wv'), sorh = 's'; end
keepapp = 1;
crit = 'threshold';
if strcmp(dorc, 'den'), crit = 'sure'; end
end
