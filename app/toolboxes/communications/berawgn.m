function ber = berawgn(ebno, modulation, varargin)
% ber = berawgn(EbNo, modulation, m, ...): the share of wrong bits over white Gaussian noise, EbNo in dB.
%   Modulations: 'psk', m, 'nondiff'; 'pam', m; 'qam', m; 'fsk', m, 'coherent' or 'noncoherent'; 'dpsk', m.
g = 10.^(ebno/10);
m = varargin{1};
k = log2(m);
switch validatestring(modulation, {'psk', 'pam', 'qam', 'fsk', 'dpsk'}, 'berawgn')
    case 'psk'
        if numel(varargin) > 1, validatestring(varargin{2}, {'nondiff'}, 'berawgn'); end
        if m <= 4, ber = qfunc(sqrt(2*g)); return, end
        ber = arrayfun(@(x) psk_rate(x, m), g);
    case 'pam'
        ber = gray_rate(g, m, 6*k/(m^2 - 1));
    case 'qam'
        side = sqrt(m);
        if side ~= fix(side), error('comm:berawgn:InvalidM', 'M must be a square for qam.'); end
        ber = gray_rate(g, side, 3*k/(m - 1));
    case 'fsk'
        if numel(varargin) > 1 && strcmp(validatestring(varargin{2}, {'coherent', 'noncoherent'}, 'berawgn'), 'coherent')
            if m > 2, error('comm:berawgn:InvalidM', 'Coherent fsk is known for M = 2.'); end
            ber = qfunc(sqrt(g));
        else
            ber = zeros(size(g));
            for j = 1:m - 1
                ber = ber + (-1)^(j + 1)*nchoosek(m - 1, j)/(j + 1)*exp(-j/(j + 1)*k*g);
            end
            ber = ber*m/2/(m - 1);
        end
    case 'dpsk'
        if m > 2, error('comm:berawgn:InvalidM', 'dpsk is known for M = 2.'); end
        ber = exp(-g)/2;
end
end

function ber = gray_rate(g, m, scale)
% Cho and Yoon (2002): one dimension of amplitudes with Gray codes.
k = log2(m);
ber = zeros(size(g));
for b = 1:k
    for i = 0:(1 - 2^-b)*m - 1
        w = floor(i*2^(b - 1)/m);
        ber = ber + (-1)^w*(2^(b - 1) - floor(i*2^(b - 1)/m + 0.5))*2/m*qfunc((2*i + 1)*sqrt(scale*g));
    end
end
ber = ber/k;
end

function p = psk_rate(g, m)
% The chance of each sector of the circle, times the bits that are wrong in it.
k = log2(m);
f = @(t) exp(-k*g*sin(t).^2)/(2*pi).*(exp(-k*g*cos(t).^2) + sqrt(pi*k*g)*cos(t).*(1 + erf(sqrt(k*g)*cos(t))));
codes = bitxor(0:m - 1, floor((0:m - 1)/2));
p = 0;
for s = 1:m - 1
    ones_ = sum(dec2bin(codes(s + 1)) == '1');
    p = p + ones_/k*integral(f, (2*s - 1)*pi/m, (2*s + 1)*pi/m, 'AbsTol', 1e-14);
end
end
