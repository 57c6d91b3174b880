function name = classname(class)
% The name of a class that is given by its name or as ?Class.
if ischar(class) || isstring(class)
    name = char(class);
else
    name = class.Name;
end
end
