function t = templateNaiveBayes(varargin)
% t = templateNaiveBayes(Name, Value, ...): a learner for fitcecoc with the options of the function that fits it.
t = classreg.Template('naivebayes', varargin);
end
