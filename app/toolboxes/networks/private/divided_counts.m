function [inTrain, inVal] = divided_counts(count, trainRatio, valRatio, testRatio)
% How many of count samples are for training and for validation.
if nargin < 2, trainRatio = 0.7; end
if nargin < 3, valRatio = 0.15; end
if nargin < 4, testRatio = 0.15; end
whole = trainRatio + valRatio + testRatio;
if any([trainRatio valRatio testRatio] < 0) || whole <= 0
    error('nnet:NNDivide:Ratios', 'The ratios must not be negative, and one of them must be positive.');
end
inVal = round(count*valRatio/whole);
inTrain = count - inVal - round(count*testRatio/whole);
end
