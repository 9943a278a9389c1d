package checklist

var proofTasks []task
