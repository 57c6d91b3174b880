function similarity = jaccard(A, B)
% similarity = jaccard(A, B): how alike two segmentations are: the common pixels over those of either. For masks a number, for labels
%   (positive numbers) or categories a column with one for each.
[one, two, common] = pixels_of_each('jaccard', A, B);
similarity = common./(one + two - common);
end
