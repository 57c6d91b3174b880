% oracle: | and & in conditions skip what is decided, within one another and for numbers of every class, but not under ~ and ==
% dialect: matlab
arg = {}; n = 1; X = 3; none = 0;
if ischar(X) | (n == 2 & ischar(arg{1})), disp('wrong'), else, disp('1 skipped'), end
if 1 | arg{3}, disp('2 skipped'), end
if true | arg{3}, disp('3 skipped'), end
if int8(5) | arg{3}, disp('4 skipped'), end
if single(0) & arg{3}, else, disp('5 skipped'), end
try, if [1 1] | arg{3}, end, catch, disp('6 asked'), end
try, if [] | arg{3}, end, catch, disp('7 asked'), end
try, if ~(n == 2 & arg{1}), end, catch, disp('8 asked'), end
try, if (n == 2 & arg{1}) == 0, end, catch, disp('9 asked'), end
try, x = n == 2 & arg{1}; catch, disp('10 asked'), end
while n == 2 & arg{1}, end, disp('11 skipped')
if (n == 1 | arg{1}) & (n == 1 | arg{1}), disp('12 skipped'), end
if n == 2 & arg{1} | n == 1, disp('13 skipped'), end
if n == 2 & arg{1}, elseif none & arg{2} | X, disp('14 skipped'), end
try, if NaN | true, end, catch e, disp('15 an error'), end
if [1 1 0] | [0 0 1], disp('16 all'), end
if [1 1 0] & 1, else, disp('17 not all'), end
disp(counted(5)); disp(counted([1 2])); disp(counted([]));
s = 0; v = 1:5;
for k = 1:7
    if k > 5 | v(k) > 3, s = s + 1; end
    if k <= 5 & (v(k) == 2 | v(k) == 4), s = s + 10; end
    if k - 6 & k < 6 & v(k), s = s + 100; end
end
disp(s)

function r = counted(varargin)
if nargin == 0 | isempty(varargin{1}) | varargin{1}(1) > 3 & numel(varargin{1}) == 1, r = 'yes'; else, r = 'no'; end
end
