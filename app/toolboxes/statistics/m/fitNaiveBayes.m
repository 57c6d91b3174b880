function nb = fitNaiveBayes(X, Y, varargin)
% nb = fitNaiveBayes(X, Y, ...): a naive Bayes classifier as programs before 2014 make it; fitcnb is its successor.
%   Options: Distribution (normal, kernel, mvmn, mn), Prior (empirical, uniform, a vector), KSWidth.
%   predict(nb, X) gives classes, posterior(nb, X) probabilities, classes and logarithms of densities.
nb = NaiveBayes.fit(X, Y, varargin{:});
end
