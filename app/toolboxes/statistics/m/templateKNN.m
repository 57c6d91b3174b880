function t = templateKNN(varargin)
% t = templateKNN(Name, Value, ...): a learner for fitcecoc with the options of the function that fits it.
t = classreg.Template('knn', varargin);
end
