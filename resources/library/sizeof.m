function n = sizeof(value)
% n = sizeof(value): the bytes that the data of a value take (Octave's).
if ischar(value) || islogical(value)
    n = numel(value);
elseif isnumeric(value)
    one = typecast(cast(0, class(value)), 'uint8');
    n = numel(value)*numel(one)*(1 + ~isreal(value));
elseif iscell(value)
    n = sum(cellfun(@sizeof, value(:)));
elseif isstruct(value)
    n = sum(cellfun(@sizeof, reshape(struct2cell(value), [], 1)));
elseif isa(value, 'string')
    n = sum(strlength(value), 'all');
else
    n = 0;
end
end
