function t = templateSVM(varargin)
% t = templateSVM(Name, Value, ...): a learner for fitcecoc with the options of the function that fits it.
t = classreg.Template('svm', varargin);
end
