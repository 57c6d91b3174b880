function y = pskmod(x, m, varargin)
% y = pskmod(x, m, phase, order): points on the unit circle for whole numbers from 0 to m - 1; phase (0) of the
%   first; orders: gray (default) and bin. Option: 'InputType' (integer, bit).
kind = 'integer';
place = find(cellfun(@(v) (ischar(v) || isstring(v)) && strcmpi(v, 'InputType'), varargin), 1);
if ~isempty(place)
    kind = validatestring(varargin{place + 1}, {'integer', 'bit'}, 'pskmod');
    varargin(place:place + 1) = [];
end
if isempty(varargin) || isempty(varargin{1}), varargin{1} = 0; end
if numel(varargin) < 2, varargin{2} = 'gray'; end
if strcmp(kind, 'bit'), x = bits_to_numbers(x, m); end
x = symbols_in('pskmod', x, m, varargin{2});
y = exp(1i*(2*pi*x/m + varargin{1}));
end
