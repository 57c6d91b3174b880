% oracle: relational operators compare real parts only
1 + 5i > 1 + 2i
2 + 1i == 2 + 1i
sort([3+4i, 1, 2i])
