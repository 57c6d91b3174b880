function name = typeinfo(value)
% name = typeinfo(value): Octave's name of how a value is stored, such as 'scalar' (Octave's).
one = isscalar(value);
if isa(value, 'function_handle'),  name = 'function handle';
elseif iscell(value),              name = 'cell';
elseif isstruct(value),            name = pick(one, 'scalar struct', 'struct');
elseif isobject(value),            name = 'object';
elseif ischar(value),              name = 'string';
elseif islogical(value) && issparse(value), name = 'sparse bool matrix';
elseif islogical(value),           name = pick(one, 'bool', 'bool matrix');
elseif issparse(value),            name = pick(isreal(value), 'sparse matrix', 'sparse complex matrix');
elseif isinteger(value),           name = [class(value) pick(one, ' scalar', ' matrix')];
else
    name = pick(one, 'scalar', 'matrix');
    if ~isreal(value)
        name = ['complex ' name];
    end
    if isa(value, 'single')
        name = ['float ' name];
    end
    if isequal(size(value), [0 0]) && isa(value, 'double')
        name = 'null_matrix';
    end
end
end

function name = pick(first, a, b)
if first
    name = a;
else
    name = b;
end
end
