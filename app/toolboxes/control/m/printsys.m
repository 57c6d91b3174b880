function printsys(varargin)
% printsys(num, den), printsys(num, den, 's') shows a transfer function; printsys(A, B, C, D) a system in state space.
if nargin < 4
    narginchk(2, 3);
    name = 's';
    if nargin > 2, name = char(varargin{3}); end
    [top, bottom] = deal(written(varargin{1}, name), written(varargin{2}, name));
    width = max(numel(top), numel(bottom));
    fprintf('\nnum/den = \n\n');
    fprintf('   %s%s\n', blanks(floor((width - numel(top))/2)), top);
    fprintf('   %s\n', repmat('-', 1, width));
    fprintf('   %s%s\n', blanks(floor((width - numel(bottom))/2)), bottom);
else
    names = {'a', 'b', 'c', 'd'};
    for k = 1:4, fprintf('\n%s = \n', names{k}), disp(varargin{k}), end
end
end

function text = written(p, name)
% A polynomial as text, the highest power first.
text = '';
n = numel(p) - 1;
for k = find(p(:).')
    c = p(k);
    power = n - k + 1;
    if isempty(text), sign = ''; if c < 0, sign = '-'; end
    elseif c < 0, sign = ' - ';
    else, sign = ' + ';
    end
    number = sprintf('%.5g', abs(c));
    if abs(c) == 1 && power > 0, number = ''; elseif power > 0, number = [number ' ']; end
    factor = '';
    if power > 1, factor = sprintf('%s^%d', name, power); elseif power == 1, factor = name; end
    text = [text sign number factor]; %#ok<AGROW>
end
if isempty(text), text = '0'; end
end
