function n = numArgumentsFromSubscript(obj, s, context)
% n = numArgumentsFromSubscript(obj, s, context): how many values a chain of indexing gives; s: a struct of substruct.
arguments
    obj
    s struct
    context = 'Statement' %#ok<INUSA> a class's own method may tell them apart
end
for k = 1:numel(s) - 1
    obj = subsref(obj, s(k));
end
last = s(end);
switch last.type
    case '()', n = 1;
    case '{}', n = numel(subsref(obj, substruct('()', last.subs)));
    case '.',  n = numel(obj);
    otherwise
        error('MATLAB:numArgumentsFromSubscript:InvalidType', 'The type of a subscript is ''()'', ''{}'' or ''.''.');
end
end
