k = 10; do, k++; until k > 5
disp(k);
