det([1 2; 3 4]), inv([2 0; 0 4]), rank(magic(4)), trace([1 2; 3 4]), norm([3 4]), [q, r] = deal(1, 2); eig([2 0; 0 3]), null([1 1; 1 1])' * [1; 1] < 1e-9, expm(zeros(2)), pinv([2 0; 0 4])
