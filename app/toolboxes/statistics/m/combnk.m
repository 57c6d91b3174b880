function c = combnk(v, k)
% c = combnk(v, k): all choices of k elements of v, one in each row.
c = nchoosek(v, k);
end
