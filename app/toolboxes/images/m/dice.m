function similarity = dice(A, B)
% similarity = dice(A, B): how alike two segmentations are: twice the common pixels over those of both. For masks a number, for labels
%   (positive numbers) or categories a column with one for each.
[one, two, common] = pixels_of_each('dice', A, B);
similarity = 2*common./(one + two);
end
