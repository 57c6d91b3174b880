unique([1 2; 1 2; 0 1], 'rows'), unique([3 1 3 2], 'stable'), ismember([1 2], [1 2; 3 4], 'rows')
