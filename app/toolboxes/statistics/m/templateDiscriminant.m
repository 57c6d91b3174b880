function t = templateDiscriminant(varargin)
% t = templateDiscriminant(Name, Value, ...): a learner for fitcecoc with the options of the function that fits it.
t = classreg.Template('discriminant', varargin);
end
