function ber = bercoding(EbNo, coding, decision, varargin)
% ber = bercoding(EbNo, 'conv', 'hard' or 'soft', coderate, dspec), ('block', 'hard', n, k, dmin), ('block', 'soft', n, k, dmin), ('Hamming', 'hard', n),
%   ('RS', 'hard', n, k): upper bounds or estimates of the share of wrong bits over white Gaussian noise, EbNo in dB, coherent PSK with 2 or 4 phases.
%   dspec is that of distspec: a struct of dfree and weight. Other modulations and Golay codes are refused. Formulas: Proakis (2001), chapter 8.
g = 10.^(EbNo/10);
coding = validatestring(coding, {'conv', 'block', 'Hamming', 'RS'}, 'bercoding');
decision = validatestring(decision, {'hard', 'soft'}, 'bercoding');
needed = struct('conv', 2, 'block', 3, 'Hamming', 1, 'RS', 2);
if numel(varargin) ~= needed.(coding)
    error('comm:bercoding:inputs', '%s takes %d numbers of the code; modulations besides coherent PSK are refused.', coding, needed.(coding));
end
if strcmp(decision, 'soft') && any(strcmp(coding, {'Hamming', 'RS'})), error('comm:bercoding:soft', '%s codes are decided ''hard''.', coding); end
switch coding
    case 'conv'
        [rate, spec] = deal(varargin{:});
        ber = zeros(size(g));
        for k = 1:numel(spec.weight)
            d = spec.dfree + k - 1;
            if strcmp(decision, 'soft'), p = qfunc(sqrt(2*g*rate*d)); else, p = chosenWrong(qfunc(sqrt(2*g*rate)), d); end
            ber = ber + spec.weight(k)*p;
        end
    case 'block'
        [n, k, dmin] = deal(varargin{:});
        if strcmp(decision, 'soft')
            ber = (2^k - 1)/2*qfunc(sqrt(2*g*k/n*dmin));
        else
            ber = wrongAfter(qfunc(sqrt(2*g*k/n)), n, floor((dmin - 1)/2));
        end
    case 'Hamming'
        n = varargin{1};
        r = log2(n + 1);
        if r ~= fix(r) || r < 2, error('comm:bercoding:hamming', 'N must be 2^r - 1.'); end
        p = qfunc(sqrt(2*g*(n - r)/n));
        ber = p - p.*(1 - p).^(n - 1);
    case 'RS'
        [n, k] = deal(varargin{:});
        q = log2(n + 1);
        if q ~= fix(q), error('comm:bercoding:rs', 'N must be 2^q - 1.'); end
        ps = 1 - (1 - qfunc(sqrt(2*g*k/n))).^q;
        ber = 2^(q - 1)/n*missed(ps, n, floor((n - k)/2));
end
end

function p = chosenWrong(p, d)
% The chance that a path at distance d is chosen when each symbol is wrong with chance p.
made = zeros(size(p));
for k = ceil((d + 1)/2):d, made = made + nchoosek(d, k)*p.^k.*(1 - p).^(d - k); end
if mod(d, 2) == 0, made = made + nchoosek(d, d/2)/2*p.^(d/2).*(1 - p).^(d/2); end
p = made;
end

function ber = wrongAfter(p, n, t)
ber = zeros(size(p));
for m = t + 1:n, ber = ber + (m + t)/n*exp(gammaln(n + 1) - gammaln(m + 1) - gammaln(n - m + 1))*p.^m.*(1 - p).^(n - m); end
ber = min(ber, 0.5);
end

function s = missed(p, n, t)
s = zeros(size(p));
for m = t + 1:n, s = s + m/n*exp(gammaln(n + 1) - gammaln(m + 1) - gammaln(n - m + 1))*p.^m.*(1 - p).^(n - m); end
end
