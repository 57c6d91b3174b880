function X = createArray(varargin)
% X = createArray(n), createArray(m, n, ...), createArray(sz): an array of zeros.
% X = createArray(..., ClassName): of the default values of a class.
% X = createArray(..., Like=p): of the class of p, also sparse, complex or on a device as it is.
% X = createArray(..., FillValue=v): filled with v, which has the class and is one element.
[sizes, options] = deal({}, struct('class', '', 'like', {{}}, 'fill', {{}}));
k = 1;
while k <= nargin
    given = varargin{k};
    if ~(ischar(given) || isstring(given) && isscalar(given))
        if ~isempty(options.class), error('MATLAB:createArray:invalidArgument', 'Sizes must come before the class name.'); end
        sizes{end+1} = given; %#ok<AGROW>
    elseif k < nargin && any(strcmpi(given, {'Like', 'FillValue'}))
        if strcmpi(given, 'Like'), options.like = varargin(k+1); else, options.fill = varargin(k+1); end
        k = k + 1;
    elseif any(strcmpi(given, {'Like', 'FillValue'}))
        error('MATLAB:createArray:missingValue', 'A value must follow the name ''%s''.', given);
    else
        options.class = char(given);
    end
    k = k + 1;
end
if ~isempty(options.class) && ~isempty(options.like)
    error('MATLAB:createArray:classAndLike', 'A class name and Like must not be given together.');
end
X = repmat(element(options), sized(sizes));
end

function one = element(options)
% What the array is filled with.
if ~isempty(options.fill)
    one = options.fill{1};
    if ~isscalar(one), error('MATLAB:createArray:fillValueNotScalar', 'FillValue must be a scalar.'); end
    if ~isempty(options.like), one = alike(one, options.like{1}); end
    if ~isempty(options.class) && ~isa(one, options.class), one = feval(options.class, one); end
elseif ~isempty(options.like)
    p = options.like{1};
    if isnumeric(p) || islogical(p)
        if islogical(p), one = false(1, 'like', p); else, one = zeros(1, 'like', p); end
    else
        one = default(class(p));
    end
else
    one = default(options.class);
end
end

function one = alike(one, p)
% A value as the prototype is: its class, sparse, complex.
if isnumeric(p) || islogical(p), one = cast(one, 'like', p); elseif ~isa(one, class(p)), one = feval(class(p), one); end
end

function one = default(name)
% The default value of a class.
switch name
    case {'', 'double'}, one = 0;
    case {'single', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'}, one = zeros(1, name);
    case 'logical', one = false;
    case 'char', one = char(0);
    case 'string', one = "";
    case 'cell', one = cell(1);
    case 'struct', one = struct();
    case 'datetime', one = NaT;
    case 'duration', one = seconds(0);
    case 'categorical', one = categorical(NaN);
    otherwise, one = feval(name);
end
end

function sz = sized(sizes)
% The size that numbers or one row of them tell.
if isempty(sizes), sz = [1 1]; return, end
if isscalar(sizes)
    sz = sizes{1};
    if ~isrow(sz), error('MATLAB:createArray:sizeInputs', 'Size vector must be a row vector.'); end
    if isscalar(sz), sz = [sz sz]; end
else
    if ~all(cellfun(@isscalar, sizes)), error('MATLAB:createArray:sizeInputs', 'Size inputs must be scalar.'); end
    sz = [sizes{:}];
end
if ~isnumeric(sz) || ~isreal(sz) || any(sz ~= fix(sz))
    error('MATLAB:createArray:sizeInputs', 'Size inputs must be integers.');
end
sz = max(double(sz), 0);
end
