function [factor, rest] = inDegrees(rest, name)
% What angles are multiplied by to be degrees, from a last word 'degrees' or 'radians'.
factor = 1;
if ~isempty(rest) && (ischar(rest{end}) || isstring(rest{end}))
    if strcmp(validatestring(rest{end}, {'degrees', 'radians'}, name), 'radians'), factor = 180/pi; end
    rest(end) = [];
end
end
