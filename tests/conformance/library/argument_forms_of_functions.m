% oracle: MATLAB's documented rules where a generator of calls met another answer
% dialect: matlab
% classes: single beside double is single, integers beside double are integers
disp(class(trapz(single([1 2 3]), [1 2 3]))); disp(class(polyfit(single([1 2 3]), [2 NaN 1], 1)));
disp(class(polyder(single([1 2 3]), [1 -3 2]))); disp(class(deconv(single([1 5 6]), [1 2])));
disp(class(cross(single([1 2 3]), [1 -3 2]))); disp(class(poly(single([4 1; 2 3]))));
disp(class(toeplitz([0 0 1], int8([1 2 3])))); disp(class(hankel(single([1 2 3]), [3 2 3])));
disp(class(vander(int8([1 2 30])))); disp(vander(int8([1 2 30])));
disp(class(logm(single([4 1; 2 3])))); disp(class(nextpow2(single(5)))); disp(class(cart2pol(single(3), 4)));
disp(class(cellfun('length', {}))); disp(class(cellfun(@isempty, {})));
disp(lcm([3; 1; 2], uint8(250)));
% a real answer stays real beside complex ones
c = acos([4 1 NaN 2]); disp(imag(c(2:3))); c = asind([2 NaN 1]); disp([real(c(2)) imag(c(2)) imag(c(3))]);
[x, y] = pol2cart([1 2], 2 + 3i); disp(isreal(x)); disp(imag(y) > 2);
% sizes
disp(size(range(zeros(2, 0, 3)))); disp(size(range([]))); disp(range([], 1)); disp(size(fullfile('a', {'b'; 'c'})));
disp(size(filter([1 1] / 2, 1, [], [], 3))); disp(filter([1 1] / 2, 1, [2 4], [], 3));
disp(rat(0.5)); disp(rat(-2.5));
A = reshape((1:8) * (1 + 1i), 2, 2, 2); B = zeros(2, 2, 2);
for k = 1:2, B(:, :, k) = A(:, :, k) ^ 3; end
disp(isequal(B(:, :, 2), A(:, :, 2) * A(:, :, 2) * A(:, :, 2)));
% refused
refused(@() meshgridz(1:2, 1:3)); refused(@() realmax(3)); refused(@() flintmax([2 2]));
refused(@() typecast(magic(3), 'single')); refused(@() bitshift(1, 2.5)); refused(@() bitshift(1, NaN));
refused(@() gcd(Inf, 4)); refused(@() diff(1:3, -1)); refused(@() conv([], 1:3)); refused(@() conv2(1, ones(1, 1, 3)));
refused(@() cross(magic(3), ones(3), 3)); refused(@() sparse(-1, 3)); refused(@() ipermute(1, [1 1]));
refused(@() union(zeros(3, 0), [1 2; 3 4], 'rows')); refused(@() ismember([1 2], [1 2 3], 'rows'));
refused(@() unique(ones(1, 1, 3), 'rows')); refused(@() cart2pol(1i, 2));
disp(union([], [1 2], 'rows')); disp(ismember([1 2], [], 'rows'));
disp(named('B', 2)); disp(named(5, 'C', 7)); disp(named('A', 1, 'B', 2, 'C', 3));
function meshgridz(x, y), [~, ~, z] = meshgrid(x, y); end
function refused(f)
try
  f();
  disp('accepted');
catch e
  disp(e.identifier);
end
end
function r = named(varargin)
p = inputParser;
addOptional(p, 'A', 0);
addOptional(p, 'B', 0);
addOptional(p, 'C', 0);
parse(p, varargin{:});
r = [p.Results.A p.Results.B p.Results.C];
end
