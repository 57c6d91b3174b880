size(5:1), size(1:0), 3:3, size(0:-1)
