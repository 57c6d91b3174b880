function t = templateTree(varargin)
% t = templateTree(Name, Value, ...): a learner for fitcecoc with the options of the function that fits it.
t = classreg.Template('tree', varargin);
end
