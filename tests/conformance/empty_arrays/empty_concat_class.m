class([[] 'a']), class([[] int8(1)]), class([single([]) 1]), class([{} 1]), class([zeros(1, 0, 'int8') 2.7])
