% oracle: MATLAB's layout
3 + 4
ans * 2;
ans
'text'
true
