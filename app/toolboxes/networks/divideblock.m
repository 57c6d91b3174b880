function [train, val, test] = divideblock(count, varargin)
% [train, val, test] = divideblock(count, trainRatio, valRatio, testRatio): indices 1 to count in three blocks one
%   after the other; the ratios are 0.7, 0.15 and 0.15 where none are given.
[inTrain, inVal] = divided_counts(count, varargin{:});
train = 1:inTrain;
val = inTrain + (1:inVal);
test = inTrain + inVal + 1:count;
end
