function ber = berfading(ebno, modulation, m, diversity, varargin)
% ber = berfading(EbNo, 'psk'|'pam'|'qam', m, diversity): the share of wrong bits in Rayleigh fading
%   with branches of equal strength that are combined by their ratios, EbNo in dB for all of them.
%   berfading(EbNo, 'psk', 2, 1, K): in Rician fading of factor K.
%   berfading(EbNo, 'dpsk', 2, diversity), berfading(EbNo, 'fsk', 2, diversity, 'noncoherent'): those.
%   Method: the rate over white noise is averaged by the moment generating function of the fading;
%   M. K. Simon and M.-S. Alouini, Digital Communication over Fading Channels, Wiley 2005, ch. 8, 9.
if nargin < 4, diversity = 1; end
modulation = validatestring(modulation, {'psk', 'pam', 'qam', 'dpsk', 'fsk'}, 'berfading');
g = 10.^(ebno/10)/diversity;                   % of each branch
rice = 0;
if ~isempty(varargin) && isnumeric(varargin{1})
    rice = varargin{1};
    varargin(1) = [];
end
if rice > 0 && diversity > 1
    error('comm:berfading:InvalidK', 'Rician fading is known for one branch.');
end
k = log2(m);
mgf = @(s) moment(s, g, rice).^diversity;
switch modulation
    case 'psk'
        if ~isempty(varargin), validatestring(varargin{1}, {'nondiff'}, 'berfading'); end
        if m <= 4
            ber = average(@(sine) mgf(1./sine.^2), size(g));
        else
            ber = psk_average(mgf, m, k, size(g));
        end
    case {'pam', 'qam'}
        side = m;
        scale = 6*k/(m^2 - 1);
        if strcmp(modulation, 'qam')
            side = sqrt(m);
            scale = 3*k/(m - 1);
            if side ~= fix(side), error('comm:berfading:InvalidM', 'M must be a square for qam.'); end
        end
        ber = gray_average(mgf, side, scale, size(g));
    case 'dpsk'
        if m > 2, error('comm:berfading:InvalidM', 'dpsk is known for M = 2.'); end
        need_one_branch(diversity);
        ber = mgf(1)/2;
    case 'fsk'
        if m > 2, error('comm:berfading:InvalidM', 'fsk is known for M = 2.'); end
        word = 'noncoherent';
        if ~isempty(varargin), word = validatestring(varargin{1}, {'coherent', 'noncoherent'}, 'berfading'); end
        if strcmp(word, 'coherent')
            ber = average(@(sine) mgf(0.5./sine.^2), size(g));
        else
            need_one_branch(diversity);
            ber = mgf(0.5)/2;
        end
end
end

function need_one_branch(diversity)
if diversity > 1
    error('comm:berfading:InvalidDivOrder', 'Noncoherent detection is known for one branch.');
end
end

function y = moment(s, g, rice)
% E exp(-s*x) of a branch of mean g.
y = (1 + rice)./(1 + rice + s.*g).*exp(-rice*s.*g./(1 + rice + s.*g));
end

function p = average(f, shape)
% The mean of Q(sqrt(2*x)) by Craig's form.
p = integral(@(t) reshape(f(sin(t)), [], 1), 0, pi/2, 'ArrayValued', true, 'AbsTol', 1e-14)/pi;
p = reshape(p, shape);
end

function ber = gray_average(mgf, m, scale, shape)
% Cho and Yoon's sum (see berawgn), each term averaged.
k = log2(m);
ber = zeros(shape);
for b = 1:k
    for i = 0:(1 - 2^-b)*m - 1
        w = floor(i*2^(b - 1)/m);
        weight = (-1)^w*(2^(b - 1) - floor(i*2^(b - 1)/m + 0.5))*2/m;
        ber = ber + weight*average(@(sine) mgf((2*i + 1)^2*scale/2./sine.^2), shape);
    end
end
ber = ber/k;
end

function ber = psk_average(mgf, m, k, shape)
% The chance of each sector of the circle, times the bits that are wrong in it.
half = @(angle) integral(@(t) reshape(mgf(k*sin(angle)^2./sin(t).^2), [], 1), 0, pi - angle, ...
    'ArrayValued', true, 'AbsTol', 1e-14)/(2*pi);
codes = bitxor(0:m - 1, floor((0:m - 1)/2));
ber = 0;
for s = 1:m/2
    chance = half((2*s - 1)*pi/m);
    if s < m/2, chance = chance - half((2*s + 1)*pi/m); else, chance = 2*chance; end
    bits = sum(dec2bin(codes(s + 1)) == '1');
    if s < m/2, bits = bits + sum(dec2bin(codes(m - s + 1)) == '1'); end
    ber = ber + bits/k*chance;
end
ber = reshape(ber, shape);
end
