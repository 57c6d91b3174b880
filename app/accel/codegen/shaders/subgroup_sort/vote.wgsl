    let one${bit} = ((digit >> ${bit}u) & 1u) == 1u;
    let votes${bit} = subgroupBallot(one${bit})${part};
    lanes = lanes & select(~votes${bit}, votes${bit}, ${same});
