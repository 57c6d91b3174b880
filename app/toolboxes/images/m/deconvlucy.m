function j = deconvlucy(a, psf, n, damp, weight)
% j = deconvlucy(I, psf, n, dampar, weight): an image sharpened by n (10) steps of Lucy and Richardson's method.
%   Where the image differs from the estimate by less than dampar (0), steps are damped.
if nargin < 3 || isempty(n), n = 10; end
if nargin < 4 || isempty(damp), damp = 0; end
if nargin < 5 || isempty(weight), weight = ones(size(a)); end
x = im2double(a);
damp = damp(1)*(1/max(double(intmax_of(a)), 1));
h = psf2otf(psf, size(x));
blurred = @(v) real(ifftn(h.*fftn(v)));
back = @(v) real(ifftn(conj(h).*fftn(v)));
scale = max(back(weight), sqrt(eps));
j = x;
last = x;
[step, before] = deal(zeros(numel(x), 1));
for k = 1:n
    pace = 0;
    if k > 2, pace = min(max(step'*before/(before'*before + eps), 0), 1); end
    guess = max(j + pace*(j - last), 0);
    model = max(blurred(guess), eps);
    ratio = x./model;
    if damp > 0
        u = min(max((x.*log(max(ratio, eps)) - x + model)*2/damp^2, 0), 1);
        ratio = 1 + u.^9.*(10 - 9*u).*(ratio - 1);
    end
    last = j;
    j = max(guess.*back(weight.*ratio)./scale, 0);
    before = step;
    step = j(:) - guess(:);
end
if ~isfloat(a), j = cast(min(j, 1)*double(intmax(class(a))), class(a)); end
end

function m = intmax_of(a)
if isfloat(a), m = 1; else, m = intmax(class(a)); end
end
