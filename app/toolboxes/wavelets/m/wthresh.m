function y = wthresh(x, sorh, t)
% y = wthresh(x, sorh, t): numbers with those of magnitude up to t set to 0; the others stay ('h', hard) or come nearer by t ('s', soft).
if ~any(strcmp(sorh, {'s', 'h'})), error('Wavelet:wthresh:InvalidKind', 'The threshold must be ''s'' (soft) or ''h'' (hard).'); end
if strcmp(sorh, 's')
    y = sign(x).*max(abs(x) - t, 0);
else
    y = x.*(abs(x) > t);
end
end
