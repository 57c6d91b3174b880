function e = wentropy(x, kind, p)
% e = wentropy(x, kind, p): the entropy of numbers: 'shannon' (of squares), 'log energy', 'threshold' (how many exceed p), 'sure' (Stein's risk for p),
%   'norm' (the sum of powers p).
x = x(:);
switch validatestring(kind, {'shannon', 'log energy', 'threshold', 'sure', 'norm'}, 'wentropy')
    case 'shannon'
        s = x(x ~= 0).^2;
        e = -sum(s.*log(s));
    case 'log energy'
        e = sum(log(x(x ~= 0).^2));
    case 'threshold'
        e = nnz(abs(x) > p);
    case 'sure'
        e = numel(x) - 2*nnz(abs(x) <= p) + sum(min(x.^2, p^2));
    case 'norm'
        if p < 1, error('Wavelet:wentropy:invalidPower', 'The power must be 1 or more.'); end
        e = sum(abs(x).^p);
end
end
