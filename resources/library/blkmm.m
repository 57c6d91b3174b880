function C = blkmm(A, B)
% C = blkmm(A, B): products of the pages of two arrays (Octave's).
C = pagemtimes(A, B);
end
