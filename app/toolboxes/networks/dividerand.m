function [train, val, test] = dividerand(count, varargin)
% [train, val, test] = dividerand(count, trainRatio, valRatio, testRatio): indices 1 to count dealt at random to three
%   groups; the ratios are 0.7, 0.15 and 0.15 where none are given.
[inTrain, inVal] = divided_counts(count, varargin{:});
order = randperm(count);
train = sort(order(1:inTrain));
val = sort(order(inTrain + (1:inVal)));
test = sort(order(inTrain + inVal + 1:end));
end
