s = 'Hello'; upper(s), lower(s), s(end:-1:1), fliplr(s), s([1 1 1]), s'
